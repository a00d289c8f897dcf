/** What is drawn after the first paint, in a file of its own. */
export { PeoplePage } from './PeoplePage.tsx'
