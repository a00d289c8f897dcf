/** Page code in its own chunk, rendered after React has loaded. */
export { BoughtPage } from './BoughtPage.tsx'
