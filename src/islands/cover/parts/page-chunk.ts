/** Chunk that renders after React has loaded. */
export { CoverPage } from './CoverPage.tsx'
