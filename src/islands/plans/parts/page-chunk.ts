/** What is drawn once its code has come, in a file of its own. */
export { PlansPage } from './PlansPage.tsx'
