/** Returns the deployment's public configuration (scripts/lib/site.ts); empty if it cannot be loaded. */
export function readConfig(): Promise<Partial<Record<string, string>>> {
  return fetch('/config.json').then(
    (answer) => answer.json() as Promise<Record<string, string>>,
    () => ({}),
  )
}
