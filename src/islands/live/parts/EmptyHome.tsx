import { AddCamera } from '../add-camera/lazy-add-camera.ts'

/** /live of a home without cameras: there is nothing to do but to add the first one. */
export const EmptyHome = () => <AddCamera isFirst />
