#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' };
import { reach } from '../reach/commands/program.js';

process.exitCode = await reach(process.argv.slice(2), {
  env: process.env,
  version: manifest.version,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  interactive: process.stderr.isTTY === true,
});
