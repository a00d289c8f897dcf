/** Exports of the chunk that loads and renders while the data is still loading. */
export { BillingPage } from './BillingPage.tsx'
