/** Page code in its own chunk. The island shows a placeholder until this chunk has loaded. */
export { ServicesPage } from './ServicesPage.tsx'
