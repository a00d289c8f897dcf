/** Page code in its own chunk. The island shows a placeholder until this chunk has loaded. */
export { PeoplePage } from './PeoplePage.tsx'
