/** What is drawn once its code has come, in a file of its own. */
export { PlanPage } from './PlanPage.tsx'
