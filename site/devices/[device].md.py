print("---\ntitle: x\nindex: true\n---\n# x")
