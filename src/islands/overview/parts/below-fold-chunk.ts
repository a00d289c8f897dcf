/** Panels below the fold, in their own chunk. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { MeasuredPanel } from './AnalyticsPanel.tsx'
export { MessagesPanel } from './NotificationsPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
export { TakePanel } from './DataExportPanel.tsx'
