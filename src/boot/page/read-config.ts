/** What a page may know of the run (scripts/lib/site.ts); empty when it cannot be read. */
export function readConfig(): Promise<Partial<Record<string, string>>> {
  return fetch('/config.json').then(
    (answer) => answer.json() as Promise<Record<string, string>>,
    () => ({}),
  )
}
