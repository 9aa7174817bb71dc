/** What files of the Java virtual machine are for, by Maven's and Gradle's layout. */
export const conventions = [
  [/(?:^|\/)src\/main\//, 'prod'],
  [/(?:^|\/)src\/(?:test|it|integrationTest|testFixtures|jmh|\w+Test)\//, 'test'],
  [/(?:^|\/)(?:[^/]*(?:Test|Tests|IT|Spec)|Test[A-Z][^/]*)\.\w+$/, 'test'],
  [/\.gradle(?:\.kts)?$/, 'config'],
] as const;
