/** What stands below what is drawn first. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { MeasuredPanel } from './MeasuredPanel.tsx'
export { MessagesPanel } from './MessagesPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
export { TakePanel } from './TakePanel.tsx'
