/** Chunk that renders while the data loads. */
export { BillingPage } from './BillingPage.tsx'
