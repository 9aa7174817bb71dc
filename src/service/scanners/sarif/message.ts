import { clip } from '../../../shared/text/cut.js';
import type { SarifResult, SarifRule, SarifRun } from './log.js';

/** Characters kept of a message, and of one of its arguments. */
const maxMessage = 2_000;
const maxArgument = 500;

/** The message's own text, else the tool's text with the message's id; its arguments are filled in (3.11). */
export function messageOf({ tool }: SarifRun, { message }: SarifResult, rule: SarifRule | null): string {
  const text =
    message?.text ?? textOf(rule?.messageStrings, message?.id) ?? textOf(tool.driver.globalMessageStrings, message?.id);
  const template = text ?? rule?.fullDescription?.text ?? rule?.shortDescription?.text ?? '';
  const filled = clip(template, maxMessage).replace(/\{(\d{1,3})\}/g, (whole, at) => {
    const argument = message?.arguments[Number(at)];
    return argument === undefined ? whole : clip(argument, maxArgument);
  });
  return clip(filled.trim(), maxMessage);
}

function textOf(texts: SarifRule['messageStrings'] = {}, id: string | null | undefined): string | null | undefined {
  return id !== null && id !== undefined && Object.hasOwn(texts, id) ? texts[id]?.text : undefined;
}
