import { Download } from 'lucide-react';
import { documentUrl } from '../../../client/index.js';
import { useSession } from '../../api/session.js';
import { buttonClass } from '../../components/button/button.js';
import { Card, Missing, Section } from '../../components/page/page.js';
import styles from './packages.module.css';

export function Export({ projectId }: { readonly projectId: string }) {
  const { plan } = useSession().organisation;
  const documents = [
    {
      name: 'CycloneDX 1.6',
      text: 'The packages with their graph, licences and digests, as far as lock files and SBOMs gave them.',
      href: documentUrl('intelligence.getSbomDocument', { project_id: projectId, vex: false }),
      file: 'sbom.cdx.json',
    },
    {
      name: 'CycloneDX 1.6 with VEX',
      text: 'The same, with the vulnerabilities and what people have ruled on them.',
      href: documentUrl('intelligence.getSbomDocument', { project_id: projectId, vex: true }),
      file: 'sbom-vex.cdx.json',
    },
    {
      name: 'OpenVEX 0.2.0',
      text: 'What is known, and ruled by people, of each vulnerability.',
      href: documentUrl('intelligence.exportOpenVex', { project_id: projectId }),
      file: 'openvex.json',
    },
  ];
  const mayExport = plan === 'Enterprise';
  return (
    <Section title="Export">
      {!mayExport && (
        <Missing
          title="Exports need an Enterprise subscription."
          reason={`Your organisation is on the ${plan} plan. Everything else on this page works without one.`}
        />
      )}
      <ul className={styles.documents}>
        {documents.map(({ name, text, href, file }) => (
          <li key={name}>
            <Card>
              <h3>{name}</h3>
              <p className={styles.quiet}>{text}</p>
              {mayExport && (
                <a href={href} download={file} className={buttonClass()}>
                  <Download aria-hidden="true" /> Download <span className="visually-hidden">{name}</span>
                </a>
              )}
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  );
}
