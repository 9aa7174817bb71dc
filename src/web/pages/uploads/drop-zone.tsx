import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { syncCommand } from './sync-command.js';
import styles from './uploads.module.css';

interface DropZoneProps {
  readonly projectId: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped on it, or chosen by its button. */
export function DropZone({ projectId, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <section
      className={styles.zone}
      aria-label="Choose files"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Upload aria-hidden="true" />
      <p>
        <strong>Drop files here</strong>: SARIF, ZAP, Trivy, Grype, CycloneDX, SPDX, VEX or reach/1, also gzip.
      </p>
      <Button look="primary" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      <details>
        <summary>Lock files are read where they are, by a command</summary>
        <CopyText text={syncCommand(projectId)} label="the command that reads lock files" />
      </details>
    </section>
  );
}
