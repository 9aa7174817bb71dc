import { Link, type LinkProps } from '@tanstack/react-router';
import {
  Box,
  Code,
  FolderGit2,
  Gauge,
  Globe,
  ListChecks,
  type LucideIcon,
  Rss,
  Settings,
  TriangleAlert,
} from 'lucide-react';
import icon from '../icon.svg';
import styles from './frame.module.css';

interface Entry {
  readonly to: Extract<LinkProps['to'], string>;
  readonly name: string;
  readonly Icon: LucideIcon;
  readonly exact?: boolean;
}

const entries: readonly Entry[] = [
  { to: '/', name: 'Posture', Icon: Gauge, exact: true },
  { to: '/projects', name: 'Projects', Icon: FolderGit2 },
  { to: '/alerts', name: 'Alerts', Icon: TriangleAlert },
  { to: '/code', name: 'Code', Icon: Code },
  { to: '/running-app', name: 'Running app', Icon: Globe },
  { to: '/images', name: 'Images', Icon: Box },
];

const below: readonly Entry[] = [
  { to: '/jobs', name: 'Jobs', Icon: ListChecks },
  { to: '/feeds', name: 'Feeds', Icon: Rss },
  { to: '/settings', name: 'Settings', Icon: Settings },
];

export function Navigation() {
  return (
    <nav aria-label="Main" className={styles.navigation}>
      <Link to="/" className={styles.brand}>
        <img src={icon} alt="" /> Postern
      </Link>
      {entries.map((entry) => (
        <NavigationLink key={entry.name} {...entry} />
      ))}
      <span className={styles.gap} />
      {below.map((entry) => (
        <NavigationLink key={entry.name} {...entry} />
      ))}
    </nav>
  );
}

function NavigationLink({ to, name, Icon, exact = false }: Entry) {
  return (
    <Link to={to} activeOptions={{ exact, includeSearch: false }} preload="intent">
      <Icon aria-hidden="true" />
      {name}
    </Link>
  );
}
