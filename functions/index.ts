import { app } from './app.ts'

export { Session } from './session.ts'
export default app
