/** Chunk boundary: components that name a person in a clip and undo a change to people. */
export { NameUndo } from './NameUndo.tsx'
export { WhoIsThis } from './WhoIsThis.tsx'
