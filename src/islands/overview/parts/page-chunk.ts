/** What is drawn first, once the data is on its way, in a file of its own. */
export { DeletionNotice as LeaveWords } from './DeletionNotice.tsx'
export { NextCharge } from './NextCharge.tsx'
export { PlanPanel } from './PlanPanel.tsx'
