/**
 * Keeps what is made of an answer for as long as the answer is kept. Only of one that is frozen: it is given again (the service's
 * `AnswerCache`, `SameBodies`), and nobody can change it.
 */
export function madeOnce<Answer extends object, Made>(): (answer: Answer, make: () => Made) => Made {
  const kept = new WeakMap<Answer, { readonly made: Made }>();
  return (answer, make) => {
    if (!Object.isFrozen(answer)) return make();
    const known = kept.get(answer);
    if (known !== undefined) return known.made;
    const made = make();
    kept.set(answer, { made });
    return made;
  };
}

export function isFrozenObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value);
}
