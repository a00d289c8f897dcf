/** Panels above the fold, in their own chunk. */
export { DeletionNotice as LeaveWords } from './DeletionNotice.tsx'
export { NextCharge } from './NextCharge.tsx'
export { PlanPanel } from './PlanPanel.tsx'
