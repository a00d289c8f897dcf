/** Where a run of the browser suite leaves what it makes, its Porchlight included; `npm test` gives each half a folder of its own. */
export const RESULTS = process.env['E2E_RESULTS'] ?? 'test-results'
