import type { Early } from './early-ask.ts'

/** Requests that the document itself started, before any module had loaded; see early-ask.ts and layouts/Early…. */
type Name = Exclude<keyof Early, 'ask' | 'token'>

declare global {
  interface Window {
    early?: Early
  }
}

/** The answer that is on its way, once; undefined when nothing was asked. */
export function takeEarly(name: Name): Promise<Response> | undefined {
  const answer = window.early?.[name]
  if (window.early) delete window.early[name]
  return answer
}
