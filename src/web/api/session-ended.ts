type Listener = () => void;

const listeners = new Set<Listener>();

/** That an answer said 401: the session is over. The frame then asks to sign in, and comes back to the same page. */
export const sessionEnded = {
  emit(): void {
    for (const listener of listeners) listener();
  },
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
