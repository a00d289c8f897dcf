/**
 * Output folder of one run of the browser suite. It also contains the data of the Porchlight deployment under test.
 * `npm test` splits the suite into parallel parts, and each part has its own folder.
 */
export const RESULTS_FOLDER = process.env['E2E_RESULTS'] ?? 'test-results'
