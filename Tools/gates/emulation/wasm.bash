# The kernels for WebAssembly, under node: every family gives the same bits as the portable tier's and touches nothing outside its
# buffers, of which one lies at the end of the memory. The harness must see a wrong weight. Takes what `Tools/web/build` compiled.

install nodejs=*
. Tools/web/compile.bash

kernels=()
for module in "${modules[@]}"; do
    compile "$module"
    kernels+=("$module")
    [ "$module" != Kernels ] || break
done
folders[Harness]=Tools/gates/emulation/harness
compile Harness
link "$scratch/harness" "${kernels[@]}" Harness
compare node Tools/gates/emulation/harness/run.mjs
