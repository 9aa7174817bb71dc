/** Checks that fail for one reason: something that the suite asks for and this server does not have. */
export interface Absence {
  /** What is absent, and why. */
  readonly absent: string;
  /** The checks, as `scenario/check`. */
  readonly checks: readonly string[];
}

const exampleResources = (...checks: string[]): Absence => ({
  absent: 'the suite’s example resources (test://static-text and the like)',
  checks: ['resources-read-text/resources-read-text', 'resources-read-binary/resources-read-binary'].concat(
    'resources-templates-read/resources-templates-read',
    checks,
  ),
});
const examplePrompts: Absence = {
  absent: 'the suite’s example prompts (test_simple_prompt and the like)',
  checks: ['simple', 'with-args', 'embedded-resource', 'with-image'].map(
    (name) => `prompts-get-${name}/prompts-get-${name}`,
  ),
};
const exampleTools = (...names: string[]): Absence => ({
  absent: 'the suite’s example tools (test_simple_text and the like)',
  checks: ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress']
    .concat(names)
    .map((name) => `tools-call-${name}/tools-call-${name}`),
});
const exampleSchema: Absence = {
  absent: 'the suite’s example tool json_schema_2020_12_tool',
  checks: ['json-schema-2020-12/json-schema-2020-12-tool-found'],
};

/** What may fail of the suite for the 2025 revisions. Anything else that fails is a defect, and so is a line that no longer fails. */
export const baseline2025: readonly Absence[] = [
  exampleTools('sampling', 'elicitation'),
  exampleSchema,
  {
    absent: 'the suite’s example tools that ask the client something',
    checks: [
      'elicitation-sep1034-defaults/elicitation-sep1034-general',
      'elicitation-sep1330-enums/elicitation-sep1330-general',
    ],
  },
  {
    absent: 'logging to the client: no tool says anything before its answer',
    checks: ['logging-set-level/logging-set-level', 'tools-call-with-logging/tools-call-with-logging'],
  },
  exampleResources(),
  {
    absent:
      'subscriptions to resources over HTTP: to these revisions a change is reported in a session, and there are none',
    checks: ['resources-subscribe/resources-subscribe', 'resources-unsubscribe/resources-unsubscribe'],
  },
  examplePrompts,
];

/** The same of the suite for protocol 2026-07-28. */
export const baseline2026: readonly Absence[] = [
  exampleTools(),
  exampleSchema,
  {
    absent: 'the suite’s diagnostic tools test_missing_capability, test_streaming_elicitation and test_logging_tool',
    checks: [
      'server-stateless/sep-2575-server-rejects-undeclared-capability',
      'server-stateless/sep-2575-missing-capability-http-400',
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless/sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    absent: 'tools with x-mcp-header: no input of a tool is needed before the body is read',
    checks: [
      'no-xmcp-tool',
      'decode-base64',
      'validate-param-match',
      'reject-invalid-param-chars',
      'reject-param-mismatch',
    ].map((check) => `http-custom-header-server-validation/sep-2243-server-${check}`),
  },
  {
    absent: 'the suite’s example tools and prompt that ask the client for input',
    checks: [
      'basic-elicitation/sep-2322-elicitation-incomplete',
      'basic-sampling/sep-2322-sampling-incomplete',
      'basic-list-roots/sep-2322-list-roots-incomplete',
      'request-state/sep-2322-request-state-incomplete',
      'multiple-input-requests/sep-2322-multiple-inputs-incomplete',
      'multi-round/sep-2322-multi-round-r1',
      'non-tool-request/sep-2322-non-tool-incomplete',
      'result-type/sep-2322-result-type-included',
      'tampered-state/sep-2322-reject-tampered-state',
      'capability-check/sep-2322-respect-client-capabilities',
    ].map((check) => `input-required-result-${check}`),
  },
  exampleResources(),
  examplePrompts,
];
