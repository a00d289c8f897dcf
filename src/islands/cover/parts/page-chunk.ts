/** Exports of the chunk that renders after React has loaded. */
export { CoverPage } from './CoverPage.tsx'
