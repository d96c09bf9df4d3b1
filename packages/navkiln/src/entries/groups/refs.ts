/** `refs` of `navkiln/kernel`: indices and slots behind refs and ids, and back. */
export { agentIdOf, agentSlotOf } from '../../agents/crowd/state/ids.ts';
export { linkIndexOf, linkRefOf } from '../../mesh/link-ref.ts';
export { decodeRef } from '../../mesh/ref.ts';
