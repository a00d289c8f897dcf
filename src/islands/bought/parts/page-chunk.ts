/** What is drawn once React is there, in a file of its own. */
export { BoughtPage } from './BoughtPage.tsx'
