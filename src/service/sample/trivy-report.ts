export interface Vulnerability {
  readonly id: string;
  readonly name: string;
  readonly installed: string;
  readonly fixed?: string;
  readonly title: string;
  readonly vector: string;
  /** The layer that added the package, from 0, which is the default. */
  readonly layer?: number;
  /** The path of a package of the application. */
  readonly path?: string;
}

interface Image {
  readonly name: string;
  /** Debian's version. */
  readonly debian: string;
  /** Steps of the image's build, oldest first. */
  readonly history: readonly { readonly created_by: string; readonly empty_layer?: boolean }[];
  readonly system: readonly Vulnerability[];
  readonly application: readonly Vulnerability[];
}

/** A made-up id: the image's letter and the layer's number, repeated. */
const diffId = (letter: string, layer: number) => `sha256:${`${letter}${layer}`.repeat(32)}`;

/** Trivy's report of an image, reduced to what is read from it. */
export function trivyReport(letter: string, { name, debian, history, system, application }: Image) {
  const listed = ({ id, name: PkgName, installed, fixed, title, vector, layer = 0, path }: Vulnerability) => ({
    VulnerabilityID: id,
    PkgName,
    InstalledVersion: installed,
    ...(fixed !== undefined && { FixedVersion: fixed }),
    ...(path !== undefined && { PkgPath: path }),
    Title: title,
    CVSS: { nvd: { V3Vector: `CVSS:3.1/${vector}` } },
    Layer: { DiffID: diffId(letter, layer) },
  });
  const layers = history.filter(({ empty_layer }) => empty_layer !== true);
  return {
    SchemaVersion: 2,
    ArtifactName: name,
    ArtifactType: 'container_image',
    Metadata: {
      OS: { Family: 'debian', Name: debian },
      RepoTags: [name],
      ImageConfig: { history, rootfs: { diff_ids: layers.map((_, layer) => diffId(letter, layer)) } },
    },
    Results: [
      { Target: `${name} (debian ${debian})`, Class: 'os-pkgs', Type: 'debian', Vulnerabilities: system.map(listed) },
      { Target: 'Node.js', Class: 'lang-pkgs', Type: 'node-pkg', Vulnerabilities: application.map(listed) },
    ],
  };
}
