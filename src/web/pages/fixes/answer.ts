import type { RouterOutputs } from '../../../client/index.js';
import { count, counted } from '../../components/format/format.js';

export type FixPlan = RouterOutputs['remediation']['plan'];

export function fixesAnswer({ refresh, upgrades, unnamed, proof, base_images, coverage }: FixPlan): string {
  const total = upgrades.length + unnamed.upgrades;
  const images = base_images.items.length;
  const bases = images === 0 ? '' : ` ${counted(images, 'better base image')} ${images === 1 ? 'is' : 'are'} known.`;
  if (proof.open === 0) {
    const unsure = coverage.status === 'unknown' ? ' Something was not looked at, so there may be more.' : '';
    return `No alert is open, so no package needs an upgrade.${unsure}${bases}`;
  }
  const open = `${count(proof.closes)} of ${counted(proof.open, 'open alert')}`;
  const may = proof.may_close === 0 ? '' : ` ${count(proof.may_close)} more may close.`;
  const stays = proof.left - proof.not_planned;
  const left = stays === 0 ? '' : ` ${count(stays)} ${stays === 1 ? 'stays' : 'stay'} open.`;
  const beyond = proof.not_planned === 0 ? '' : ` ${count(proof.not_planned)} more were not planned.`;
  const rest = `${may}${left}${beyond}`;
  if (refresh !== null) {
    const planned = total === 0 ? 'A refresh closes' : `A refresh and ${counted(total, 'upgrade')} close`;
    return `${planned} ${open}.${rest}${bases}`;
  }
  if (total === 0) return `No upgrade is known that closes any of ${counted(proof.open, 'open alert')}.${bases}`;
  return `${counted(total, 'upgrade')} ${total === 1 ? 'closes' : 'close'} ${open}.${rest}${bases}`;
}
