/** Chunk that renders after React has loaded. */
export { BoughtPage } from './BoughtPage.tsx'
