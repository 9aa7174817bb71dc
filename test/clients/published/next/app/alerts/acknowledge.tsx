'use client';

import { createPosternClient, isPosternError } from '@posternhq/postern/client';
import { useState } from 'react';

const ofThePage = createPosternClient();

export function Acknowledge({ project, alert }: { readonly project: string; readonly alert: string }) {
  const [problem, setProblem] = useState('');
  const acknowledge = () =>
    ofThePage.alerts.acknowledge
      .mutate({ project_id: project, alert_id: alert })
      .catch((error: unknown) => setProblem(isPosternError(error) ? error.data.failure : 'no answer'));
  return (
    <button type="button" onClick={acknowledge}>
      Acknowledge {problem}
    </button>
  );
}
