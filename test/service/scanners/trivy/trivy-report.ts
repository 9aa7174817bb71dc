type Json = Readonly<Record<string, unknown>>;

/** A vulnerability as Trivy writes it. */
export function vulnerability(id: string, name: string, more: Json = {}): Json {
  return { VulnerabilityID: id, PkgName: name, InstalledVersion: '1.0.0', Severity: 'HIGH', ...more };
}

/** A report of Trivy on an image, with packages of the system and of npm. */
export function trivyReport(image: string, system: readonly Json[], npm: readonly Json[] = [], metadata: Json = {}) {
  return {
    SchemaVersion: 2,
    ArtifactName: image,
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: '12.5' }, RepoTags: [image], ...metadata },
    Results: [
      { Target: `${image} (debian 12.5)`, Class: 'os-pkgs', Type: 'debian', Vulnerabilities: system },
      { Target: 'Node.js', Class: 'lang-pkgs', Type: 'node-pkg', Vulnerabilities: npm },
    ],
  };
}

/** The same as newer versions write it: with all packages of the image, here `base-files` and those named, all at 1.0.0. */
export function listingPackages({ Results, ...report }: ReturnType<typeof trivyReport>, ...names: readonly string[]) {
  const Packages = ['base-files', ...names].map((Name) => ({ Name, Version: '1.0.0', Release: '', Epoch: 0 }));
  return { ...report, Results: Results.map((each) => ({ ...each, Packages })) };
}

/** Diff ids made of names. */
export function diffIds(...names: readonly string[]): string[] {
  return names.map((name) => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`);
}

/** An image's layers as Trivy writes them; without history. */
export function layersOf(...names: readonly string[]): Json {
  return imageConfig(names);
}

/** The same, with history or environment. */
export function imageConfig(names: readonly string[], more: Json = {}): Json {
  return { ImageConfig: { rootfs: { type: 'layers', diff_ids: diffIds(...names) }, ...more } };
}
