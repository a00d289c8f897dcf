/** Page code in its own chunk, rendered after React has loaded. */
export { PurchaseConfirmationPage } from './PurchaseConfirmationPage.tsx'
