import { Link } from '@tanstack/react-router';
import { exposureMeanings, exposureWords } from '../../../words.js';
import type { Verdict } from './answers.js';
import { Part } from './detail-part.js';

interface ExposureEvidenceProps {
  readonly exposure: Verdict['evidence']['exposure'];
  readonly projectId: string;
}

/** The third layer of evidence: how far the project can be reached, as its team declares it. */
export function ExposureEvidence({ exposure, projectId }: ExposureEvidenceProps) {
  return (
    <Part
      title="3 · Exposure"
      actions={
        <Link to="/projects/$projectId/settings" params={{ projectId }}>
          Change
        </Link>
      }
    >
      <p>
        <strong>{exposureWords[exposure]}</strong>. {exposureMeanings[exposure]}
      </p>
    </Part>
  );
}
