/** Page code in its own chunk; the island shows a placeholder until it loads. */
export { PeoplePage } from './PeoplePage.tsx'
