import type { ProjectPosture } from '../../components/posture/types.js';
import { guideId } from './getting-started.js';
import { type Project, stepsOf } from './steps.js';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What is not known of the project, with the way down to how it becomes known. */
export function NotKnown({ project, posture }: { readonly project: Project; readonly posture: ProjectPosture }) {
  const missing = stepsOf(project, posture).filter(({ at }) => at === null);
  if (missing.length === 0) return null;
  return (
    <p>
      Not known yet: {list.format(missing.map(({ what }) => what))}. <a href={`#${guideId}`}>How to know more</a>
    </p>
  );
}
