/** Requests that the document itself started, before any module had loaded; see ProtectedShell and layouts/Early…. */
type Name = 'me' | 'homes' | 'devices' | 'streams' | 'events'

declare global {
  interface Window {
    early?: Partial<Record<Name, Promise<Response>>>
  }
}

/** The answer that is on its way, once; undefined when nothing was asked. */
export function takeEarly(name: Name): Promise<Response> | undefined {
  const answer = window.early?.[name]
  if (window.early) delete window.early[name]
  return answer
}
