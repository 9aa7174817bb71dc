import { Link, type LinkProps } from '@tanstack/react-router';
import {
  Box,
  Code,
  Ellipsis,
  FolderGit2,
  Gauge,
  Globe,
  ListChecks,
  type LucideIcon,
  Rss,
  Settings,
  TriangleAlert,
} from 'lucide-react';
import { classNames } from '../components/class-names.js';
import { ActionMenu, MenuItem } from '../components/menu/menu.js';
import icon from '../icon.svg';
import styles from './frame.module.css';

interface Entry {
  readonly to: Extract<LinkProps['to'], string>;
  readonly name: string;
  readonly Icon: LucideIcon;
  readonly exact?: boolean;
  /** Where the screen is narrow it stands in the menu of the others. */
  readonly inMenu?: boolean;
}

const entries: readonly Entry[] = [
  { to: '/', name: 'Posture', Icon: Gauge, exact: true },
  { to: '/projects', name: 'Projects', Icon: FolderGit2 },
  { to: '/alerts', name: 'Alerts', Icon: TriangleAlert },
  { to: '/code', name: 'Code', Icon: Code },
  { to: '/running-app', name: 'Running app', Icon: Globe, inMenu: true },
  { to: '/images', name: 'Images', Icon: Box, inMenu: true },
];

const below: readonly Entry[] = [
  { to: '/jobs', name: 'Jobs', Icon: ListChecks, inMenu: true },
  { to: '/feeds', name: 'Feeds', Icon: Rss, inMenu: true },
  { to: '/settings', name: 'Settings', Icon: Settings, inMenu: true },
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
      <MoreMenu />
    </nav>
  );
}

function MoreMenu() {
  return (
    <ActionMenu
      trigger={
        <button type="button" className={styles.moreButton}>
          <Ellipsis aria-hidden="true" /> More
        </button>
      }
    >
      {[...entries, ...below]
        .filter(({ inMenu }) => inMenu)
        .map(({ to, name, Icon }) => (
          <MenuItem key={name} render={<Link to={to} />}>
            <Icon aria-hidden="true" /> {name}
          </MenuItem>
        ))}
    </ActionMenu>
  );
}

function NavigationLink({ to, name, Icon, exact = false, inMenu = false }: Entry) {
  return (
    <Link
      to={to}
      className={classNames(inMenu && styles.inMenu)}
      activeOptions={{ exact, includeSearch: false }}
      preload="intent"
    >
      <Icon aria-hidden="true" />
      {name}
    </Link>
  );
}
