/**
 * Returns the deployment's public configuration (scripts/lib/site.ts), or an empty object without a response. Rejects
 * if the response is not JSON.
 */
export function readConfig(): Promise<Partial<Record<string, string>>> {
  return fetch('/config.json').then(
    (answer) => answer.json() as Promise<Record<string, string>>,
    () => ({}),
  )
}
