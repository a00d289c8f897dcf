import { app } from './app.ts'

export { SessionList } from './session-list.ts'
export { Session } from './session.ts'
export default app
