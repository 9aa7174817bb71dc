import type { Question } from '../question.js';
import { aboutFindings } from './about-findings.js';
import { aboutPeople } from './about-people.js';
import { aboutStacks } from './about-stacks.js';
import { mostAsked } from './most-asked.js';

/** Thirty questions, in the words of somebody who knows the project's name and not its id. */
export const questions: readonly Question[] = [...mostAsked, ...aboutFindings, ...aboutStacks, ...aboutPeople];
