/** What stands below what is drawn first. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { MeasuredPanel } from './AnalyticsPanel.tsx'
export { MessagesPanel } from './NotificationsPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
export { TakePanel } from './DataExportPanel.tsx'
