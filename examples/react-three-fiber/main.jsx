/**
 * react-three-fiber: a museum. The mesh is baked from a group once it is mounted, debug geometry is a primitive, and visitors move meshes in
 * useFrame.
 */
import { Canvas, useFrame } from '@react-three/fiber';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createKeepReachable, createRandom, findRandomPoint } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';
import { createAgentObject, drawLines, drawMesh, levelFromObject3D, placeAgentObject } from 'navkiln/three';

const box = (width, height, depth, [x, y, z], color) => ({
  size: [width, height, depth],
  position: [x, y + height / 2, z],
  color,
});
/** Floors of four halls, walls with doorways, and exhibits. Positions are those of lower sides. */
const BOXES = [
  box(24, 1, 20, [0, -1, 0], '#b9b2a6'),
  box(10.6, 0.02, 8.6, [-6, 0, -5], '#c9a3a0'),
  box(10.6, 0.02, 8.6, [6, 0, -5], '#a3b7c9'),
  box(10.6, 0.02, 8.6, [-6, 0, 5], '#c9bd94'),
  box(10.6, 0.02, 8.6, [6, 0, 5], '#a5c2a8'),
  box(24, 2.4, 0.4, [0, 0, -9.8], '#efe9df'),
  box(0.4, 2.4, 20, [-11.8, 0, 0], '#efe9df'),
  box(0.4, 1, 20, [11.8, 0, 0], '#efe9df'),
  ...[-10, -2.25, 2.25, 10].map((x) => box(x * x > 9 ? 3.6 : 4.1, 1.6, 0.4, [x, 0, 0], '#efe9df')),
  ...[-8.5, -2, 2, 8.5].map((z) => box(0.4, 1.6, z * z > 9 ? 2.6 : 4, [0, 0, z], '#efe9df')),
  ...[-9, -3.5].flatMap((x) => [box(1.2, 1, 1.2, [x, 0, -6], '#f7f4ee'), box(0.6, 1.2, 0.6, [x, 1, -6], '#8c5a4f')]),
  ...[4, 8].flatMap((x) => [box(1.4, 0.8, 1.4, [x, 0, -5], '#f7f4ee'), box(0.5, 1.8, 0.5, [x, 0.8, -5], '#4f6f8c')]),
  box(5, 0.6, 1.6, [-6, 0, 5.5], '#f7f4ee'),
  box(4.4, 0.8, 0.9, [-6, 0.6, 5.5], '#b08d3c'),
  ...[3.5, 6, 8.5].map((x) => box(1, 1.1, 3, [x, 0, 5.5], '#6f8f72')),
];

/** The level. Passes its mesh on once its objects exist. */
function Level({ onBaked }) {
  const group = useRef(null);
  useLayoutEffect(() => {
    const level = levelFromObject3D(group.current);
    const keepReachable = createKeepReachable([[-6, 0, -3]]);
    const agent = { radius: 0.35, height: 1.8, maxClimb: 0.45 };
    onBaked(buildNavMesh(level, { agent, keepReachable }).navMesh);
  }, [onBaked]);
  return (
    <group ref={group}>
      {BOXES.map(({ size, position, color }) => (
        <mesh key={position.join()} position={position}>
          <boxGeometry args={size} />
          <meshLambertMaterial color={color} />
        </mesh>
      ))}
    </group>
  );
}

/** Draws a mesh over the level. */
function NavMeshView({ navMesh }) {
  // Roofs and other surface that nothing leads to has the flags 0.
  const reachable = { filter: (poly) => navMesh.polyFlags[poly] !== 0 };
  const surface = useMemo(() => drawMesh(navMeshTriangles(navMesh, reachable), { opacity: 0.6 }), [navMesh]);
  const outlines = useMemo(() => drawLines(navMeshOutlines(navMesh, reachable)), [navMesh]);
  return (
    <>
      <primitive object={surface} />
      <primitive object={outlines} />
    </>
  );
}

/** Agents that walk between random goals. */
function Crowd({ navMesh, count }) {
  const meshes = useRef([]);
  const state = useRef(null);
  useLayoutEffect(() => {
    const crowd = createCrowd(navMesh, { maxAgents: count });
    const random = createRandom(7);
    const somewhere = () => findRandomPoint(navMesh, random).point;
    const bound = meshes.current.map((object) => {
      const id = addAgent(crowd, somewhere(), { radius: 0.35, maxSpeed: 2.5 });
      moveAgentTo(crowd, id, somewhere());
      return createAgentObject((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), { object });
    });
    state.current = { crowd, bound, somewhere };
  }, [navMesh, count]);
  useFrame((_, seconds) => {
    const { crowd, bound, somewhere } = state.current;
    const alpha = advanceCrowd(crowd, seconds);
    for (const { kind, agent } of listEvents(crowd)) if (kind === 'arrived') moveAgentTo(crowd, agent, somewhere());
    for (const agent of bound) placeAgentObject(agent, alpha);
  });
  return Array.from({ length: count }, (_, i) => (
    <group key={i} ref={(object) => object && (meshes.current[i] = object)}>
      <mesh position={[0, 0.8, 0]}>
        <capsuleGeometry args={[0.3, 1]} />
        <meshLambertMaterial color={['#d55e00', '#0072b2', '#cc79a7'][i % 3]} />
      </mesh>
    </group>
  ));
}

function App() {
  const [navMesh, setNavMesh] = useState(null);
  useLayoutEffect(() => {
    if (navMesh !== null) document.querySelector('#status').textContent = `${navMesh.polyCount} polygons, 30 agents.`;
  }, [navMesh]);
  return (
    <Canvas
      camera={{ position: [-8, 19, 18].map((x) => x * Math.max(1, (1.25 * innerHeight) / innerWidth)), fov: 45 }}
      flat
    >
      <color attach="background" args={['#f4f1ea']} />
      <hemisphereLight args={['#ffffff', '#8a93a0', 2.2]} />
      <directionalLight position={[4, 10, 6]} intensity={1.5} />
      <Level onBaked={setNavMesh} />
      {navMesh !== null && <NavMeshView navMesh={navMesh} />}
      {navMesh !== null && <Crowd navMesh={navMesh} count={30} />}
    </Canvas>
  );
}

createRoot(document.querySelector('#root')).render(<App />);
