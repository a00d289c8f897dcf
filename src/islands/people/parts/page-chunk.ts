/** Parts of the page that load after the first paint. */
export { PeoplePage } from './PeoplePage.tsx'
