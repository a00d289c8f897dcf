/** Page code in its own chunk, rendered after React has loaded. */
export { CoverPage } from './CoverPage.tsx'
