/** Output folder of a browser suite run, its Porchlight data included; `npm test` gives each half its own folder. */
export const RESULTS = process.env['E2E_RESULTS'] ?? 'test-results'
