/** What is drawn once React is there, in a file of its own. */
export { CoverPage } from './CoverPage.tsx'
